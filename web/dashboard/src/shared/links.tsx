import { Anchor, type AnchorProps, Button, type ButtonProps, NavLink, type NavLinkProps } from '@mantine/core'
import { createLink } from '@tanstack/react-router'
import type { ComponentProps } from 'react'

type LinkProps<Props> = Props & Omit<ComponentProps<'a'>, keyof Props>

/** Links to pages of the dashboard, which load no new document. */
export const PageAnchor = createLink((props: LinkProps<AnchorProps>) => <Anchor {...props} />)
export const PageButton = createLink((props: LinkProps<ButtonProps>) => <Button component="a" {...props} />)
export const PageNavLink = createLink((props: LinkProps<NavLinkProps>) => <NavLink component="a" {...props} />)
