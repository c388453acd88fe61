-- What is changed about a workspace is in the audit log, beside its suspension.
create function audit_renamed_workspace() returns trigger language plpgsql as $$
begin
  perform add_to_audit_log(
    new.id, 'workspace.renamed', acting_person(), jsonb_build_object('name', new.name, 'name_before', old.name));
  return null;
end
$$;

create trigger audit_renamed after update of name on workspaces for each row
  when (old.name <> new.name) execute function audit_renamed_workspace();

create function audit_limits() returns trigger language plpgsql as $$
begin
  perform add_to_audit_log(new.id, 'workspace.limits_changed', acting_person(), jsonb_build_object(
    'sessions', new.max_concurrent_sessions, 'sessions_before', old.max_concurrent_sessions,
    'streams', new.max_concurrent_streams, 'streams_before', old.max_concurrent_streams));
  return null;
end
$$;

create trigger audit_limits after update of max_concurrent_sessions, max_concurrent_streams on workspaces for each row
  when ((old.max_concurrent_sessions, old.max_concurrent_streams)
    is distinct from (new.max_concurrent_sessions, new.max_concurrent_streams))
  execute function audit_limits();
