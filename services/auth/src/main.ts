import { run } from '@parlance/runtime'
import { auth } from './service.js'

await run([auth])
