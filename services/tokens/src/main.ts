import { run } from '@parlance/runtime'
import { tokens } from './service.js'

await run([tokens])
