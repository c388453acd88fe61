import { run } from '@parlance/runtime'
import { webhooks } from './service.js'

await run([webhooks])
