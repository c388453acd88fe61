-- Until then no other process attempts the delivery. Null where none attempts it.
alter table deliveries add column claimed_until timestamptz(3);

create index on deliveries (next_attempt_at) where status = 'pending';

-- The tables of pg-boss, which kept the time of each attempt before.
drop table if exists job, archive, schedule, subscription, version, queue cascade;
drop function if exists create_queue(text, json);
drop function if exists delete_queue(text);
drop type if exists job_state;
