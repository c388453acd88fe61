import { fetchApi } from '../api/api.js'
import { Page } from '../shared/page.js'
import { SpeechWorkbench } from './speech-workbench.js'

/** Speech in every voice of the workspace. */
export const SpeechPage = () => (
  <Page title="Speech">
    <SpeechWorkbench api={fetchApi} />
  </Page>
)
