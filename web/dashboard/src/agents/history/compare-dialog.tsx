import { Modal } from '@mantine/core'
import { Loaded } from '../../shared/loaded.js'
import type { Agent } from '../agent.js'
import { DifferenceList } from '../difference/difference-list.js'
import { useRevision } from './history-queries.js'

export interface CompareDialogProps {
  readonly agent: Agent
  /** Undefined while the dialog is closed. */
  readonly version: number | undefined
  onClose(): void
}

/** What changed from an older revision to the draft. */
export const CompareDialog = ({ agent, version, onClose }: CompareDialogProps) => {
  const revision = useRevision(agent.id, version)
  return (
    <Modal
      opened={version !== undefined}
      onClose={onClose}
      title={version === undefined ? 'Compare' : `From revision ${version} to the draft`}
      size="lg"
    >
      <Loaded query={revision}>{({ config }) => <DifferenceList before={config} after={agent} />}</Loaded>
    </Modal>
  )
}
