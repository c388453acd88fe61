import type { Client } from '@parlance/bus'
import type { authContract } from '@parlance/contracts'

/** The event that makes the holders of streams and conversations check their keys. */
export type StandingChanged = Pick<Client<typeof authContract>['standingChanged'], 'publish'>

export const announceStanding = (standingChanged: StandingChanged, workspace_id: string): void => {
  try {
    standingChanged.publish({ workspace_id })
  } catch {
    // Without the bus the event is lost.
  }
}
