import '@fontsource-variable/inter/wght.css'
import DefaultTheme from 'vitepress/theme-without-fonts'
import { defineComponent, h, onMounted } from 'vue'
import conversation from '../../../../docs/images/conversation.webp'
import './theme.css'

/** Links to pages outside of this site: `target` keeps them from its router. */
const productLinks = (className) =>
  h('nav', { class: className, 'aria-label': 'Pages' }, [
    h('a', { href: '/', target: '_self' }, 'Dashboard'),
    h('a', { href: '/talk', target: '_self' }, 'Talk'),
  ])

/** Shows the widget where the operator has named an Agent for readers. It stays from page to page. */
const showAgent = async () => {
  const { agent_id: agentId } = await (await fetch('/docs/agent.json')).json()
  if (agentId === null) return
  const agent = document.createElement('parlance-agent')
  agent.setAttribute('agent-id', agentId)
  agent.setAttribute('avatar', '')
  agent.textContent = 'Talk with an Agent'
  document.body.append(agent, Object.assign(document.createElement('script'), { src: '/widget.js' }))
}

const picture = { src: conversation, width: 1100, height: 600, fetchpriority: 'high', alt: 'Talk with an Agent' }

export default {
  extends: DefaultTheme,
  Layout: defineComponent(() => {
    onMounted(showAgent)
    return () =>
      h(DefaultTheme.Layout, null, {
        'nav-bar-content-after': () => productLinks('product-links'),
        'home-hero-image': () => h('a', { class: 'hero-picture', href: '/talk', target: '_self' }, [h('img', picture)]),
        'nav-screen-content-after': () => productLinks('product-links-of-menu'),
      })
  }),
}
