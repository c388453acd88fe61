-- no transaction
drop index concurrently if exists deliveries_by_status;
create index concurrently deliveries_by_status on deliveries (workspace_id, endpoint_id, status, created_at, id);
