import { run } from '@parlance/runtime'
import { gateway } from './service.js'

await run([gateway])
