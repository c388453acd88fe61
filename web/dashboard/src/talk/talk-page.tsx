import { fetchApi } from '../api/api.js'
import { useSignedIn } from '../session/signed-in.js'
import { Page } from '../shared/page.js'
import { TalkWorkbench } from './talk-workbench.js'

/** Conversations with the Agents of the workspace. */
export const TalkPage = () => (
  <Page title="Talk">
    <TalkWorkbench api={fetchApi} endUserId={useSignedIn().person.id} linksToRecord />
  </Page>
)
