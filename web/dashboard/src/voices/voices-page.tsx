import { Group, Select, TextInput } from '@mantine/core'
import { AudioLines } from 'lucide-react'
import { Empty } from '../shared/empty.js'
import { Loaded } from '../shared/loaded.js'
import { Page } from '../shared/page.js'
import { useVoiceFilter } from './use-voice-filter.js'
import { useVoices, type Voice } from './voice-queries.js'
import { VoiceTable } from './voice-table.js'

const VoiceList = ({ voices }: { readonly voices: readonly Voice[] }) => {
  const { matching, textField, languageField } = useVoiceFilter(voices)
  return (
    <>
      <Group grow maw={560}>
        <TextInput label="Search" placeholder="Name, description or tag" {...textField} />
        <Select label="Language" placeholder="All" {...languageField} />
      </Group>
      {matching.length === 0 ? <Empty icon={AudioLines} title="No voice matches" /> : <VoiceTable voices={matching} />}
    </>
  )
}

export const VoicesPage = () => (
  <Page
    title="Voices"
    description="The voices of the running speech engines, the best first. A preview costs no credit."
  >
    <Loaded
      query={useVoices()}
      empty={
        <Empty icon={AudioLines} title="No voice is available now">
          No speech engine is running. The operator of this installation finds the reason in the log of the speech
          workers.
        </Empty>
      }
    >
      {(voices) => <VoiceList voices={voices} />}
    </Loaded>
  </Page>
)
