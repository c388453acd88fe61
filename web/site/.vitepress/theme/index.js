import '@fontsource-variable/inter/wght.css'
import DefaultTheme from 'vitepress/theme-without-fonts'
import { h } from 'vue'
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
      'nav-bar-content-before': () => productLinks('product-links'),
      'nav-screen-content-after': () => productLinks('product-links-of-menu'),
    }),
}
