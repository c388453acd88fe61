import { Code, Text } from '@mantine/core'
import { KeyRound, Plus } from 'lucide-react'
import { keyVariable } from '../agents/integrate/snippets.js'
import { CopyField } from '../shared/copy-field.js'
import { DialogButton } from '../shared/dialog.js'
import { Empty } from '../shared/empty.js'
import { Page } from '../shared/page.js'
import { PagedList } from '../shared/paged-list.js'
import { Section } from '../shared/section.js'
import { useCallCommand } from './call-command.js'
import { CreateKeyDialog } from './create-key-dialog.js'
import { useKeys } from './key-queries.js'
import { KeyTable } from './key-table.js'

/** A command that works here as soon as the variable has a key. */
const CallExample = () => {
  const { command } = useCallCommand()
  return (
    <Section title="Call the API">
      <Text>
        Set the variable with <Code>export {keyVariable}=awp_…</Code>, then run this command:
      </Text>
      <CopyField name="the command" value={command} />
    </Section>
  )
}

export const KeysPage = () => (
  <Page
    title="API keys"
    description="Your backends call Parlance with a key. Keep keys on servers. Never put a key in a page or an app."
    actions={
      <DialogButton leftSection={<Plus />} label="Create a key">
        {(close) => <CreateKeyDialog onClose={close} />}
      </DialogButton>
    }
  >
    <PagedList
      list={useKeys()}
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
  </Page>
)
