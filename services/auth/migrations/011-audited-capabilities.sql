-- What a workspace may use is changed by operators alone. The change is in the audit log, as those of its limits are.
create function capability_names(names text[]) returns text language sql immutable as $$
  select coalesce(string_agg(name, ', ' order by name), 'none') from unnest(names) as name
$$;

create function audit_capabilities() returns trigger language plpgsql as $$
begin
  perform add_to_audit_log(new.id, 'workspace.capabilities_changed', acting_person(), jsonb_build_object(
    'capabilities', capability_names(new.capabilities), 'capabilities_before', capability_names(old.capabilities)));
  return null;
end
$$;

create trigger audit_capabilities after update of capabilities on workspaces for each row
  when (not (old.capabilities @> new.capabilities and old.capabilities <@ new.capabilities))
  execute function audit_capabilities();
