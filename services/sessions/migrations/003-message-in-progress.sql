-- A message that the agent was still speaking when it was stored, with the text that was played by then. It is replaced when
-- the message is final, and is not shown before. If its instance stops without warning, it becomes an interrupted message.
alter table messages add column in_progress boolean not null default false;
