import { Button, Stack } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { KeyRound, Plus } from 'lucide-react'
import { Empty } from '../shared/empty.js'
import { Loaded } from '../shared/loaded.js'
import { MoreButton } from '../shared/more-button.js'
import { Page } from '../shared/page.js'
import { CallExample } from './call-example.js'
import { CreateKeyDialog } from './create-key-dialog.js'
import { useKeys } from './key-queries.js'
import { KeyTable } from './key-table.js'

export const KeysPage = () => {
  const keys = useKeys()
  const [isCreating, { open, close }] = useDisclosure(false)
  const create = (
    <Button leftSection={<Plus />} onClick={open}>
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
        {({ pages }) => {
          const listed = pages.flatMap((page) => page.keys)
          return listed.length === 0 ? (
            <Empty icon={KeyRound} title="No API key yet">
              Create one, and call the API with it.
            </Empty>
          ) : (
            <Stack>
              <KeyTable keys={listed} />
              <MoreButton list={keys} label="Show older keys" />
            </Stack>
          )
        }}
      </Loaded>
      <CallExample />
      <CreateKeyDialog opened={isCreating} onClose={close} />
    </Page>
  )
}
