import { type Bus, createClient } from '@parlance/bus'
import { ttsContract } from '@parlance/contracts'
import type { Logger } from '@parlance/telemetry'
import { createFatalTexts, type FatalTexts } from './fatal-texts.js'

export interface SharedFatalTexts {
  readonly fatalTexts: FatalTexts
  /** Receives no more reports of other workers. */
  stop(): void
}

/** The texts that ended an engine process here or in another worker. */
export const shareFatalTexts = (bus: Bus, instanceId: string, logger: Logger): SharedFatalTexts => {
  const workers = createClient(bus, ttsContract)
  const fatalTexts = createFatalTexts({
    onFatalText({ engine, workspaceId, textHash }) {
      logger.error({ engine, workspaceId }, 'A text ended an engine process: it is refused from now on')
      if (!bus.connected()) return
      workers.textEndedProcess.publish({
        instance_id: instanceId,
        engine,
        workspace_id: workspaceId,
        text_hash: textHash,
      })
    },
  })
  const reports = workers.textEndedProcess.subscribe(({ instance_id, engine, workspace_id, text_hash }) => {
    if (instance_id === instanceId) return
    fatalTexts.learn({ engine, workspaceId: workspace_id, textHash: text_hash })
  })
  return { fatalTexts, stop: () => reports.unsubscribe() }
}
