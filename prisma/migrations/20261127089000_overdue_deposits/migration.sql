-- Pending deposits by their expiry: the check of progress finds those that should have expired, and no others.
CREATE INDEX deposit_pending_by_expiry ON deposit (expires_at) WHERE status = 'pending';
