module operatorpayments

go 1.21
