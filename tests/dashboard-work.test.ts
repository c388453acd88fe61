import { testAgentPages } from './agent-pages.js'
import { testAvatarsPage } from './dashboard-avatars.js'
import { testEvaluationPages } from './dashboard-evaluations.js'
import { testKnowledgePages } from './dashboard-knowledge.js'
import { testOperationPages } from './dashboard-operations.js'
import { testOverviewPage } from './dashboard-overview.js'
import { testProvidersPage } from './dashboard-providers.js'
import { testRecordPages } from './dashboard-records.js'
import { describeDashboard } from './dashboard-scene.js'

describeDashboard('the work with Agents in the dashboard', (scene) => {
  testOverviewPage(scene)
  testRecordPages(scene)
  testEvaluationPages(scene)
  testKnowledgePages(scene)
  testAgentPages(scene)
  testOperationPages(scene)
  testProvidersPage(scene)
  testAvatarsPage(scene)
})
