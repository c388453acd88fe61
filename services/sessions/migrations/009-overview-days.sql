-- The conversations that were created on a day, in UTC, added up for the overview.
create table overview_days (
  workspace_id uuid not null,
  day date not null,
  conversations integer not null,
  ended integer not null,
  succeeded integer not null,
  -- The percentiles of the latencies; null without a latency.
  p50 integer,
  p95 integer,
  -- The latencies that occurred, in ms, and the number of turns with each.
  latencies integer[] not null,
  turns integer[] not null,
  -- The day is over and all its conversations have ended, so it need not be added up again.
  complete boolean not null,
  primary key (workspace_id, day)
);

select protect('overview_days');

-- The day of a conversation that was deleted is added up again.
create function remove_overview_day() returns trigger language plpgsql as $$
begin
  delete from overview_days
  where workspace_id = old.workspace_id and day = (old.created_at at time zone 'UTC')::date;
  return null;
end
$$;

create trigger remove_overview_day after delete on sessions for each row execute function remove_overview_day();
