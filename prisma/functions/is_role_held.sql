-- Whether a person may do acts of a kind in an operation now: they are enabled, have one of its roles, and the session
-- goes on. `p_rules` has what domain/staff.ts asks of the kind: {"roles", "means", "breakGlassMinutes"}.
CREATE OR REPLACE FUNCTION is_role_held(
  p_handle text, p_session_id text, p_means text, p_operation_id text, p_rules jsonb
) RETURNS boolean LANGUAGE sql STABLE AS $$
  SELECT EXISTS (
    SELECT FROM staff
    JOIN staff_role ON staff_role.staff_handle = staff.handle
    WHERE staff.handle = p_handle AND staff.disabled_at IS NULL
      AND staff_role.operation_id IN ('*', p_operation_id)
      AND p_rules -> 'roles' ? staff_role.role
      AND (p_session_id IS NULL OR EXISTS (
        SELECT FROM staff_session
        WHERE staff_session.id = p_session_id AND staff_session.revoked_at IS NULL
          AND staff_session.staff_handle = p_handle AND p_means IN ('signature', staff_session.means)
          AND (staff_session.means <> 'break_glass'
            OR staff_session.created_at > now() - make_interval(mins => (p_rules ->> 'breakGlassMinutes')::integer))
      ))
  )
$$;
