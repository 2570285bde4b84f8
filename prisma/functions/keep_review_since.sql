-- When a payment came under review: its queue is sorted by it. Only transitions start a review, so no other write pays.
CREATE OR REPLACE FUNCTION keep_review_since() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW.review_since := NEW.updated_at;
  RETURN NEW;
END
$$;

CREATE OR REPLACE TRIGGER deposit_review_since BEFORE INSERT OR UPDATE OF status ON deposit
  FOR EACH ROW WHEN (NEW.status = 'under_review' AND NEW.review_since IS NULL) EXECUTE FUNCTION keep_review_since();

CREATE OR REPLACE TRIGGER withdrawal_review_since BEFORE INSERT OR UPDATE OF status ON withdrawal
  FOR EACH ROW WHEN (NEW.status = 'under_review' AND NEW.review_since IS NULL) EXECUTE FUNCTION keep_review_since();
