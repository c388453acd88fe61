import { Button } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { KeyRound, Plus } from 'lucide-react'
import { api } from '../api/api.js'
import { Empty } from '../shared/empty.js'
import { Loaded } from '../shared/loaded.js'
import { Page } from '../shared/page.js'
import { CallExample } from './call-example.js'
import { CreateKeyDialog } from './create-key-dialog.js'
import { KeyTable } from './key-table.js'

export const KeysPage = () => {
  const keys = api.useQuery('get', '/dashboard/api/keys')
  const [isCreating, { open, close }] = useDisclosure(false)
  const create = (
    <Button leftSection={<Plus aria-hidden size={16} />} onClick={open}>
      Create a key
    </Button>
  )
  return (
    <Page
      title="API keys"
      description="Your backends call Parlance with a key. Keep keys on servers. Never put a key in a page or an app."
      actions={create}
    >
      <Loaded query={keys}>
        {({ keys: listed }) =>
          listed.length === 0 ? (
            <Empty icon={KeyRound} title="No API key yet">
              Create one, and call the API with it.
            </Empty>
          ) : (
            <KeyTable keys={listed} />
          )
        }
      </Loaded>
      <CallExample />
      <CreateKeyDialog opened={isCreating} onClose={close} />
    </Page>
  )
}
