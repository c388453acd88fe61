import { BrainCircuit, Plus } from 'lucide-react'
import { DialogButton } from '../shared/dialog.js'
import { Empty } from '../shared/empty.js'
import { Loaded } from '../shared/loaded.js'
import { Page } from '../shared/page.js'
import { FoundServers } from './found-servers.js'
import { ProviderDialog } from './provider-dialog.js'
import { useProviders } from './provider-queries.js'
import { ProviderTable } from './provider-table.js'

export const ProvidersPage = () => (
  <Page
    title="Model providers"
    description="Language models that Agents of this workspace can use, in addition to those that the operator has set up."
    actions={
      <DialogButton leftSection={<Plus />} label="Add a provider">
        {(close) => <ProviderDialog onClose={close} />}
      </DialogButton>
    }
  >
    <FoundServers />
    <Loaded
      query={useProviders()}
      empty={
        <Empty icon={BrainCircuit} title="No model provider yet">
          Start a model server on this machine, such as Ollama, which is found by itself; or add OpenAI, Anthropic or a
          server of your own.
        </Empty>
      }
    >
      {(providers) => <ProviderTable providers={providers} />}
    </Loaded>
  </Page>
)
