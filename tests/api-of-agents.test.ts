import { agents } from './api/agents.js'
import { credit } from './api/credit.js'
import { isolation } from './api/isolation.js'
import { revocation } from './api/revocation.js'
import { tokens } from './api/tokens.js'
import { workspaceLimits } from './api/workspace-limits.js'
import { describePlatforms } from './platforms.js'

describePlatforms(
  'Agents, credit and tokens',
  (platform) => {
    for (const suite of [agents, credit, revocation]) suite(platform)
  },
  {
    apart(platform) {
      for (const suite of [isolation, tokens, workspaceLimits]) suite(platform)
    },
  },
)
