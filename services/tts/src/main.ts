import { run } from '@parlance/runtime'
import { tts } from './service.js'

await run([tts])
