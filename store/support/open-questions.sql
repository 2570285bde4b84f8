-- Questions that wait for an operator's answer, the longest open first: what staff asked since the answer before, and
-- the payment as the operator knows it. One is open while its payment is under review, or unchanged since it was asked.
SELECT payment.id AS "paymentId", payment.kind, payment.operation_id AS "operationId",
  payment.external_id AS "externalId", payment.amount_minor AS "amountMinor", payment.currency,
  asked.asked, asked.question
FROM case_work AS work
CROSS JOIN LATERAL (
  SELECT 'deposit' AS kind, id, operation_id, external_id, amount_minor, currency, status, version
  FROM deposit WHERE id = work.payment_id
  UNION ALL
  SELECT 'withdrawal', id, operation_id, external_id, amount_minor, currency, status, version
  FROM withdrawal WHERE id = work.payment_id
) AS payment
CROSS JOIN LATERAL (
  SELECT max(note.id)::text AS question, max(note.payment_version) AS version,
    jsonb_agg(jsonb_build_object('text', note.text, 'at', note.created_at) ORDER BY note.id) AS asked
  FROM case_note AS note
  WHERE note.payment_id = work.payment_id AND note.act = 'ask'
    AND NOT EXISTS (
      SELECT FROM case_note AS later
      WHERE later.payment_id = work.payment_id AND later.act = 'answer' AND later.id > note.id)
) AS asked
WHERE work.is_asked AND asked.question IS NOT NULL
  AND (:operations::text[] IS NULL OR work.operation_id = ANY(:operations::text[]))
  AND (:payment::text IS NULL OR work.payment_id = :payment::text)
  AND (payment.status = 'under_review' OR payment.version = asked.version)
ORDER BY asked.question::bigint
LIMIT :take::int
