-- What people of the operator answered by themselves, newest first, each with what was asked since the answer before.
SELECT payment.id AS "paymentId", payment.kind, payment.operation_id AS "operationId",
  payment.external_id AS "externalId", payment.amount_minor AS "amountMinor", payment.currency,
  asked.asked, answer.text AS answer, answer.created_at AS at, answer.person
FROM case_note AS answer
CROSS JOIN LATERAL (
  SELECT 'deposit' AS kind, id, operation_id, external_id, amount_minor, currency
  FROM deposit WHERE id = answer.payment_id
  UNION ALL
  SELECT 'withdrawal', id, operation_id, external_id, amount_minor, currency
  FROM withdrawal WHERE id = answer.payment_id
) AS payment
CROSS JOIN LATERAL (
  SELECT coalesce(jsonb_agg(jsonb_build_object('text', note.text, 'at', note.created_at) ORDER BY note.id), '[]') AS asked
  FROM case_note AS note
  WHERE note.payment_id = answer.payment_id AND note.act = 'ask'
    AND note.id < answer.id
    AND NOT EXISTS (
      SELECT FROM case_note AS between_them
      WHERE between_them.payment_id = answer.payment_id AND between_them.act = 'answer'
        AND between_them.id > note.id AND between_them.id < answer.id)
) AS asked
WHERE answer.is_operators
  AND (:operations::text[] IS NULL OR answer.operation_id = ANY(:operations::text[]))
ORDER BY answer.id DESC
LIMIT :take::int
