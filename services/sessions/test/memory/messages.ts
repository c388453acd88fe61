import { randomUUID } from 'node:crypto'
import type { SessionMessage } from '@parlance/contracts'

const message =
  (role: SessionMessage['role']) =>
  (text: string): SessionMessage => ({
    id: randomUUID(),
    role,
    text,
    created_at: new Date().toISOString(),
    interrupted: false,
  })
export const user = message('user')
export const agent = message('agent')
