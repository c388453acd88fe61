import { run } from '@parlance/runtime'
import { endUsers } from './service.js'

await run([endUsers])
