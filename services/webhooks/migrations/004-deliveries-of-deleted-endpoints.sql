-- To delete an endpoint with its deliveries in one statement fails when there are many. They are removed with their events instead.
alter table deliveries drop constraint deliveries_workspace_id_endpoint_id_fkey;
