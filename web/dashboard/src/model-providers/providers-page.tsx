import { Button } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { BrainCircuit, Plus } from 'lucide-react'
import { Empty } from '../shared/empty.js'
import { Loaded } from '../shared/loaded.js'
import { Page } from '../shared/page.js'
import { AddProviderDialog } from './add-provider-dialog.js'
import { FoundServers } from './found-servers.js'
import { useProviders } from './provider-queries.js'
import { ProviderTable } from './provider-table.js'

export const ProvidersPage = () => {
  const query = useProviders()
  const [isAdding, { open, close }] = useDisclosure(false)
  return (
    <Page
      title="Model providers"
      description="Language models that Agents of this workspace can use, in addition to those that the operator has set up."
      actions={
        <Button leftSection={<Plus />} onClick={open}>
          Add a provider
        </Button>
      }
    >
      <FoundServers />
      <Loaded query={query}>
        {({ providers }) =>
          providers.length === 0 ? (
            <Empty icon={BrainCircuit} title="No model provider yet">
              Start a model server on this machine, such as Ollama, which is found by itself; or add OpenAI, Anthropic
              or a server of your own.
            </Empty>
          ) : (
            <ProviderTable providers={providers} />
          )
        }
      </Loaded>
      <AddProviderDialog opened={isAdding} onClose={close} />
    </Page>
  )
}
