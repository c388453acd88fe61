import { randomUUID } from 'node:crypto'
import type { SessionMessage } from '@parlance/contracts'

const said =
  (role: SessionMessage['role']) =>
  (text: string): SessionMessage => ({
    id: randomUUID(),
    role,
    text,
    created_at: new Date().toISOString(),
    interrupted: false,
  })
export const user = said('user')
export const agent = said('agent')
