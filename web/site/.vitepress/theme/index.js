import '@fontsource-variable/inter/wght.css'
import DefaultTheme from 'vitepress/theme-without-fonts'
import { h } from 'vue'
import conversation from '../../../../docs/images/conversation.png'
import './theme.css'

/** Links to pages outside of this site: `target` keeps them from its router. */
const productLinks = (className) =>
  h('nav', { class: className, 'aria-label': 'Pages' }, [
    h('a', { href: '/', target: '_self' }, 'Dashboard'),
    h('a', { href: '/talk', target: '_self' }, 'Talk'),
  ])

export default {
  extends: DefaultTheme,
  Layout: () =>
    h(DefaultTheme.Layout, null, {
      'nav-bar-content-after': () => productLinks('product-links'),
      'home-hero-image': () =>
        h('img', { class: 'hero-picture', src: conversation, alt: 'A conversation with an Agent' }),
      'nav-screen-content-after': () => productLinks('product-links-of-menu'),
    }),
}
