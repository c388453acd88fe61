-- Who did what in a workspace. Rows about what is in this schema are written by triggers, in the transaction of the act. The
-- setting `parlance.actor` is the id of the person who acts; without it the actor is an operator.
create table audit_log (
  workspace_id uuid not null,
  id uuid not null default gen_random_uuid(),
  action text not null,
  actor_kind text not null check (actor_kind in ('person', 'api_key', 'operator')),
  actor_id uuid check ((actor_id is null) = (actor_kind = 'operator')),
  details jsonb not null,
  created_at timestamptz not null default clock_timestamp(),
  primary key (workspace_id, id)
);

create index on audit_log (workspace_id, created_at, id);

create function refuse_change() returns trigger language plpgsql as $$
begin
  raise exception 'rows of % are never changed or removed', tg_table_name;
end
$$;

create trigger immutable before update or delete or truncate on audit_log execute function refuse_change();

alter table audit_log enable row level security;
alter table audit_log force row level security;
create policy of_workspace on audit_log using (
  workspace_id = nullif(current_setting('parlance.workspace_id', true), '')::uuid
  or current_setting('parlance.every_workspace', true) = 'on');

create function acting_person() returns uuid language sql stable as $$
  select nullif(current_setting('parlance.actor', true), '')::uuid
$$;

-- Triggers run in transactions that are in no workspace, so the workspace is set for the row alone.
create function add_to_audit_log(workspace uuid, act text, person uuid, about jsonb) returns void language plpgsql as $$
declare
  workspace_before text := coalesce(current_setting('parlance.workspace_id', true), '');
begin
  perform set_config('parlance.workspace_id', workspace::text, true);
  insert into audit_log (workspace_id, action, actor_kind, actor_id, details)
  values (workspace, act, case when person is null then 'operator' else 'person' end, person, jsonb_strip_nulls(about));
  perform set_config('parlance.workspace_id', workspace_before, true);
end
$$;

create function audit_api_key() returns trigger language plpgsql as $$
begin
  perform add_to_audit_log(
    new.workspace_id, case tg_op when 'INSERT' then 'api_key.created' else 'api_key.revoked' end, acting_person(),
    jsonb_build_object('key_id', new.id, 'label', new.label, 'prefix', new.prefix));
  return null;
end
$$;

-- Keys of members have no value, and come and go with the membership.
create trigger audit_created after insert on api_keys for each row
  when (new.person_id is null) execute function audit_api_key();
create trigger audit_revoked after update of revoked_at on api_keys for each row
  when (new.person_id is null and old.revoked_at is null and new.revoked_at is not null)
  execute function audit_api_key();

create function audit_workspace() returns trigger language plpgsql as $$
begin
  perform add_to_audit_log(
    new.id, case when new.suspended then 'workspace.suspended' else 'workspace.resumed' end, acting_person(), '{}');
  return null;
end
$$;

create trigger audit_suspended after update of suspended on workspaces for each row
  when (old.suspended <> new.suspended) execute function audit_workspace();

create function audit_member() returns trigger language plpgsql as $$
declare
  member record := case tg_op when 'DELETE' then old else new end;
  about jsonb := jsonb_build_object(
    'person_id', member.person_id, 'email', (select email from people where id = member.person_id),
    'role', member.role);
begin
  perform add_to_audit_log(
    member.workspace_id,
    case tg_op when 'INSERT' then 'member.added' when 'UPDATE' then 'member.role_changed' else 'member.removed' end,
    acting_person(),
    case tg_op when 'UPDATE' then about || jsonb_build_object('role_before', old.role) else about end);
  return null;
end
$$;

create trigger audit_member after insert or delete on members for each row execute function audit_member();
create trigger audit_role after update of role on members for each row
  when (old.role <> new.role) execute function audit_member();

-- The id of an invitation is a secret, so it is not in the log.
create function audit_invitation() returns trigger language plpgsql as $$
begin
  perform add_to_audit_log(
    new.workspace_id, case tg_op when 'INSERT' then 'member.invited' else 'member.invitation_canceled' end,
    case tg_op when 'INSERT' then new.inviter_id else acting_person() end,
    jsonb_build_object('email', new.email, 'role', new.role));
  return null;
end
$$;

create trigger audit_invited after insert on invitations for each row execute function audit_invitation();
create trigger audit_canceled after update of status on invitations for each row
  when (old.status = 'pending' and new.status = 'canceled') execute function audit_invitation();

-- A sign-in is one to every workspace of the person.
create function audit_sign_in() returns trigger language plpgsql as $$
begin
  perform add_to_audit_log(
    m.workspace_id, 'person.signed_in', new.person_id, jsonb_build_object('address', new.ip_address))
  from members m where m.person_id = new.person_id;
  return null;
end
$$;

create trigger audit_sign_in after insert on people_sessions for each row execute function audit_sign_in();
