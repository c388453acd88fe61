import { run } from '@parlance/runtime'
import { catalog } from './service.js'

await run([catalog])
