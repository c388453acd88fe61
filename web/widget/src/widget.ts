/** The script of a page: defines `<parlance-agent>`. */
import { ParlanceAgent } from './parlance-agent.js'

// A second tag of the same script has no effect.
if (customElements.get('parlance-agent') === undefined) customElements.define('parlance-agent', ParlanceAgent)
