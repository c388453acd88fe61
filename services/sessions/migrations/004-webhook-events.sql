-- What other services must learn of. A row is written in the transaction of what happened, and removed once it was received.
create table outbox (
  workspace_id uuid not null,
  id uuid not null default gen_random_uuid(),
  destination text not null,
  payload json not null,
  created_at timestamptz not null default clock_timestamp(),
  primary key (id)
);

create index on outbox (destination, created_at, id);

alter table outbox enable row level security;
alter table outbox force row level security;
create policy of_workspace on outbox using (
  workspace_id = nullif(current_setting('parlance.workspace_id', true), '')::uuid
  or current_setting('parlance.every_workspace', true) = 'on');

-- The start and the end of a conversation are events of webhooks, whichever statement writes them.
create function announce_session(type text, s sessions) returns void language plpgsql as $$
declare
  data jsonb := jsonb_build_object(
    'session_id', s.id, 'agent_id', s.agent_id,
    'publication', jsonb_build_object('id', s.publication_id, 'version', s.publication_version),
    'end_user_id', s.end_user_id, 'transport', s.transport, 'started_at', to_char(s.started_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'));
begin
  if s.ended_at is not null then
    data := data || jsonb_build_object(
      'ended_at', to_char(s.ended_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'),
      'duration_seconds', round(greatest(0, coalesce(extract(epoch from s.ended_at - s.started_at), 0)), 3),
      'end_reason', s.end_reason,
      'error', case when s.error_code is not null then
        jsonb_build_object('code', s.error_code, 'detail', coalesce(s.error_detail, '')) end,
      'credit_used', trim_scale(s.credit_used)::text);
  end if;
  insert into outbox (workspace_id, destination, payload)
  values (s.workspace_id, 'webhooks', json_build_object('type', type, 'data', data));
end
$$;

create function announce_session_change() returns trigger language plpgsql as $$
declare
  running sessions := new;
begin
  if old.started_at is null and new.started_at is not null then
    -- One write may have both.
    running.ended_at := null;
    perform announce_session('agent_session.started', running);
  end if;
  if old.status not in ('ended', 'failed') and new.status in ('ended', 'failed') then
    perform announce_session('agent_session.' || new.status, new);
  end if;
  return null;
end
$$;

create trigger announce_change after update of status, started_at on sessions for each row
  when (old.status <> new.status or old.started_at is distinct from new.started_at)
  execute function announce_session_change();
