import { Button, Code, Stack, Text, Title } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { KeyRound, Plus } from 'lucide-react'
import { CopyField } from '../shared/copy-field.js'
import { Empty } from '../shared/empty.js'
import { Page } from '../shared/page.js'
import { PagedList } from '../shared/paged-list.js'
import { keyVariable, useCallCommand } from './call-command.js'
import { CreateKeyDialog } from './create-key-dialog.js'
import { useKeys } from './key-queries.js'
import { KeyTable } from './key-table.js'

/** A command that works here as soon as the variable has a key. */
const CallExample = () => {
  const { command } = useCallCommand()
  return (
    <Stack gap="xs" component="section" aria-labelledby="call-example">
      <Title order={2} id="call-example">
        Call the API
      </Title>
      <Text size="sm">
        Set the variable with <Code>export {keyVariable}=awp_…</Code>, then run this command:
      </Text>
      <CopyField name="the command" value={command} />
    </Stack>
  )
}

export const KeysPage = () => {
  const [isCreating, { open, close }] = useDisclosure(false)
  return (
    <Page
      title="API keys"
      description="Your backends call Parlance with a key. Keep keys on servers. Never put a key in a page or an app."
      actions={
        <Button leftSection={<Plus />} onClick={open}>
          Create a key
        </Button>
      }
    >
      <PagedList
        query={useKeys()}
        itemsOf={(page) => page.keys}
        empty={
          <Empty icon={KeyRound} title="No API key yet">
            Create one, and call the API with it.
          </Empty>
        }
        more="Show older keys"
      >
        {(keys) => <KeyTable keys={keys} />}
      </PagedList>
      <CallExample />
      <CreateKeyDialog opened={isCreating} onClose={close} />
    </Page>
  )
}
