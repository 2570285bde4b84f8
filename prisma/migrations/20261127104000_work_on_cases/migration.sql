-- What people agree about a case besides its decision: who has it, until when it waits, who must look; and their notes.
CREATE TABLE case_work (
  payment_id    text           NOT NULL,
  operation_id  text           NOT NULL,
  assigned_to   text,
  snoozed_until timestamptz(3),
  is_escalated  boolean        NOT NULL DEFAULT FALSE,

  CONSTRAINT case_work_pkey PRIMARY KEY (payment_id),
  CONSTRAINT case_work_operation_id_fkey FOREIGN KEY (operation_id) REFERENCES operation (id) ON DELETE RESTRICT ON UPDATE CASCADE
);
CREATE INDEX case_work_operation_id_idx ON case_work (operation_id);

CREATE TABLE case_note (
  id           bigserial      NOT NULL,
  payment_id   text           NOT NULL,
  operation_id text           NOT NULL,
  act          text           NOT NULL,
  text         text,
  person       text           NOT NULL,
  -- Whom it was given to; until when it waits.
  given_to     text,
  waits_until  timestamptz(3),
  created_at   timestamptz(3) NOT NULL DEFAULT now(),

  CONSTRAINT case_note_pkey PRIMARY KEY (id),
  CONSTRAINT case_note_operation_id_fkey FOREIGN KEY (operation_id) REFERENCES operation (id) ON DELETE RESTRICT ON UPDATE CASCADE,
  CONSTRAINT case_note_act_check
    CHECK (act IN ('note', 'assign', 'give_back', 'snooze', 'wake', 'escalate', 'deescalate')),
  CONSTRAINT case_note_text_check CHECK (char_length(text) <= 500)
);
CREATE INDEX case_note_payment_id_idx ON case_note (payment_id, id);
CREATE INDEX case_note_operation_id_idx ON case_note (operation_id);
