-- What only an administrator of the server (a superuser) can set for the gateway's database. It is run in that database
-- once the owner and the roles exist, may be repeated, and is run by every deployment that connects as an
-- administrator.
DO $$
DECLARE
  owner_name  name := (SELECT pg_get_userbyid(datdba) FROM pg_database WHERE datname = current_database());
  one         record;
  limit_of    text;
BEGIN
  -- Functions of PostgreSQL itself that everybody may call. Large objects, and messages in the log, would let a role
  -- write that may only read. An advisory lock would let it stop others: the owner's functions, deployments and Prisma
  -- alone take them.
  FOR one IN
    SELECT oid::regprocedure AS signature, proname ~ 'advisory' AS is_lock FROM pg_proc
    WHERE pronamespace = 'pg_catalog'::regnamespace
      AND proname ~ '^(lo_.*|loread|lowrite|pg_logical_emit_message|pg_(try_)?advisory_.*)$'
  LOOP
    EXECUTE format('REVOKE EXECUTE ON FUNCTION %s FROM PUBLIC', one.signature);
    IF one.is_lock THEN
      EXECUTE format('GRANT EXECUTE ON FUNCTION %s TO %I', one.signature, owner_name);
    END IF;
  END LOOP;

  -- What a session of a role may take at most. The gateway's processes set shorter times for their statements. A
  -- session may set others: these are for what hangs, not for an attacker.
  FOREACH limit_of IN ARRAY ARRAY[
    'statement_timeout=5min',
    'lock_timeout=30s',
    'idle_in_transaction_session_timeout=1min'
  ] LOOP
    FOR one IN
      SELECT rolname FROM pg_roles
      WHERE rolname ~ '^gateway_' AND NOT coalesce(rolconfig, '{}') @> ARRAY[limit_of]
    LOOP
      EXECUTE format(
        'ALTER ROLE %I SET %I = %L', one.rolname, split_part(limit_of, '=', 1), split_part(limit_of, '=', 2)
      );
    END LOOP;
  END LOOP;
END
$$;
