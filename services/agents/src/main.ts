import { run } from '@parlance/runtime'
import { agents } from './service.js'

await run([agents])
