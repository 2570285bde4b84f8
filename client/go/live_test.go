package operatorpayments

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"testing"
	"time"
)

// Runs against a sandbox: BASE_URL, KEY_ID and SECRET are an operation's.
func TestAgainstTheSandbox(t *testing.T) {
	if os.Getenv("BASE_URL") == "" {
		t.Skip("no sandbox: set BASE_URL, KEY_ID and SECRET")
	}
	ctx := context.Background()
	gateway, err := New(os.Getenv("BASE_URL"), os.Getenv("KEY_ID"), os.Getenv("SECRET"))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := gateway.Ping(ctx); err != nil {
		t.Fatal(err)
	}
	external := fmt.Sprintf("go-%d", time.Now().UnixNano())
	body := []byte(fmt.Sprintf(`{"external_id":%q,"player":{"external_ref":%q,"document":{"type":"CPF","number":"52998224725","country":"BR"}},"amount":{"amount":"5000","currency":"BRL"},"method":"pix"}`, external, "player-"+external))
	created, err := gateway.CreateDeposit(ctx, "deposit-create:"+external, body, nil)
	if err != nil {
		t.Fatal(err)
	}
	again, err := gateway.CreateDeposit(ctx, "deposit-create:"+external, body, nil)
	if err != nil || !again.Replayed || string(again.Body) != string(created.Body) {
		t.Fatalf("a repeat: %v %v", again, err)
	}
	var deposit struct{ ID, Status string }
	if err := json.Unmarshal(created.Body, &deposit); err != nil || deposit.Status != "pending" {
		t.Fatalf("%s %v", created.Body, err)
	}
	if _, err := gateway.SandboxPayDeposit(ctx, deposit.ID, "pay:"+deposit.ID, nil, nil); err != nil {
		t.Fatal(err)
	}
	paid, err := gateway.GetDeposit(ctx, deposit.ID)
	if err != nil || json.Unmarshal(paid.Body, &deposit) != nil || deposit.Status != "paid" {
		t.Fatalf("%v %v", deposit, err)
	}
	var types []string
	err = gateway.Events(ctx, "", func(event Event) error {
		if event.ObjectID == deposit.ID {
			types = append(types, event.Type)
		}
		return nil
	})
	if err != nil || fmt.Sprint(types) != "[deposit.pending deposit.paid]" {
		t.Fatalf("%v %v", types, err)
	}
	later := *gateway
	later.Header = map[string]string{"Sandbox-Later-Version": "true"}
	unknown, err := later.GetDeposit(ctx, deposit.ID)
	if err != nil || json.Unmarshal(unknown.Body, &deposit) != nil || deposit.Status != "status_of_a_later_version" {
		t.Fatalf("%v %v", deposit, err)
	}
	_, err = gateway.CancelDeposit(ctx, deposit.ID, "cancel:"+deposit.ID)
	var problem *ProblemError
	if !errors.As(err, &problem) || problem.Code != "invalid_state_transition" || problem.Verdict != PaymentExists {
		t.Fatal(err)
	}
	_, err = gateway.Get(ctx, "/deposits?external_id="+external+"&limit=999")
	if !errors.As(err, &problem) || problem.Code != "validation_failed" {
		t.Fatal(err)
	}
}
