import classes from './skip-link.module.css'

export const mainId = 'main'

/** The first thing that the keyboard reaches: it leads past the navigation. */
export const SkipLink = () => (
  <a href={`#${mainId}`} className={classes.link}>
    Skip to the content
  </a>
)
