import { SpeechWorkbench } from '../speech/speech-page.js'
import { listVoices } from '../voices/voice-queries.js'
import { KeyedPage } from './keyed-page.js'

/** Speech without an account, with a pasted key. */
export const KeyedSpeechPage = () => (
  <KeyedPage title="Hear it speak" check={listVoices}>
    {(api, onUnauthorized) => <SpeechWorkbench api={api} onUnauthorized={onUnauthorized} />}
  </KeyedPage>
)
