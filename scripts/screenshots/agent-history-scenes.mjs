// The scenes of the history of an Agent, and of what was not saved or failed.
import { click } from './actions.mjs'
import { path, withAgent } from './agent-scenes.mjs'
import { failed, signedInAs } from './answers.mjs'

export const agentHistoryScenes = [
  {
    name: 'agent-history-failed',
    path: `${path}/history`,
    answers: { ...withAgent(), [`/dashboard/api/v1${path}/publications`]: failed },
  },
  { name: 'agent-failed', path, answers: { ...withAgent(), [`/dashboard/api/v1${path}`]: failed } },
  {
    name: 'agent-recording-unsaved',
    path: `${path}?section=recording`,
    answers: {
      ...withAgent(),
      ...signedInAs('owner'),
      [`/dashboard/api${path}/recording`]: {
        body: { settings: { enabled: false, consent_required: true, retention_days: 30 }, available: true },
      },
    },
    act: (page) => page.getByRole('switch', { name: 'Record conversations' }).check(),
  },
  { name: 'agent-history', path: `${path}/history`, answers: withAgent() },
  {
    name: 'agent-revisions',
    path: `${path}/history`,
    answers: withAgent(),
    act: (page) => page.getByRole('tab', { name: 'Revisions' }).click(),
  },
  { name: 'agent-roll-back', path: `${path}/history`, answers: withAgent(), act: click('Roll back to publication 1') },
]
