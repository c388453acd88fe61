import { Alert, Text } from '@mantine/core'
import { CircleCheck } from 'lucide-react'
import { isAtLeast } from '../../session/roles.js'
import { useWorkspace } from '../../session/signed-in.js'
import { PageAnchor } from '../../shared/links.js'
import type { Publication } from '../agent.js'

interface PublishedAlertProps {
  readonly publication: Publication
  onClose(): void
}

/** Shown after a publication: what it changed, and what comes next. */
export const PublishedAlert = ({ publication, onClose }: PublishedAlertProps) => {
  const mayMakeKeys = isAtLeast(useWorkspace().role, 'admin')
  return (
    <Alert
      role="status"
      color="green"
      icon={<CircleCheck />}
      title={`Publication ${publication.version} is live`}
      withCloseButton
      closeButtonLabel="Close"
      onClose={onClose}
    >
      <Text>
        New conversations use it.{' '}
        {mayMakeKeys ? (
          <>
            Your own pages and programs start them with a key:{' '}
            <PageAnchor to="/keys" inherit underline="always">
              make an API key
            </PageAnchor>
            .
          </>
        ) : (
          'Your own pages and programs start them with a key, which an Owner or an Admin makes.'
        )}
      </Text>
    </Alert>
  )
}
