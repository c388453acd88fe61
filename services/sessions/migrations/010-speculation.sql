-- How long before the final transcript the reply was begun, and whether one was prepared and used.
alter table turns add column prepared_ms real;
alter table turns add column speculation text not null default 'none';
