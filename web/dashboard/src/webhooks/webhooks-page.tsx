import { Button } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { Plus, Webhook as WebhookIcon } from 'lucide-react'
import { Empty } from '../shared/empty.js'
import { Loaded } from '../shared/loaded.js'
import { Page } from '../shared/page.js'
import { CreateWebhookDialog } from './create-webhook-dialog.js'
import { DisabledNotice } from './disabled-notice.js'
import { useWebhooks } from './webhook-queries.js'
import { WebhookTable } from './webhook-table.js'

export const WebhooksPage = () => {
  const list = useWebhooks()
  const [isCreating, { open, close }] = useDisclosure(false)
  return (
    <Page
      title="Webhooks"
      description="Parlance sends your servers a signed request when something happens in this workspace."
      actions={
        <Button leftSection={<Plus />} onClick={open}>
          Create a webhook
        </Button>
      }
    >
      <Loaded query={list}>
        {({ webhooks }) =>
          webhooks.length === 0 ? (
            <Empty icon={WebhookIcon} title="No webhook yet">
              Create one with the address of your receiver, and choose the events to send.
            </Empty>
          ) : (
            <>
              {webhooks
                .filter(({ disabled_reason }) => disabled_reason === 'failing')
                .map((webhook) => (
                  <DisabledNotice key={webhook.id} webhook={webhook} />
                ))}
              <WebhookTable webhooks={webhooks} />
            </>
          )
        }
      </Loaded>
      <CreateWebhookDialog opened={isCreating} onClose={close} />
    </Page>
  )
}
