-- Rows that only functions lock, because no role has a right to them: who holds such a lock cannot be imitated, as an
-- advisory lock can by every role. A row is not written.
CREATE TABLE named_lock (
  name text NOT NULL,

  CONSTRAINT named_lock_pkey PRIMARY KEY (name)
);
INSERT INTO named_lock (name) VALUES ('append_audit'), ('sweep_requests');
