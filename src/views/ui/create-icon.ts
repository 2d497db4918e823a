import { type ComponentProps, createElement, type ReactNode } from 'react'

interface IconData {
  name: string
  node: readonly (readonly [tag: string, attributes: Record<string, string>])[]
}

type IconProps = ComponentProps<'svg'> & { size?: number | string }

/** Draws an icon of lucide-react as the package does; in the build, it stands in for the package's function. */
export default function createIcon({ name, node }: IconData): (props: IconProps) => ReactNode {
  return ({ size = 24, className = '', ...rest }) =>
    createElement(
      'svg',
      {
        xmlns: 'http://www.w3.org/2000/svg',
        width: size,
        height: size,
        viewBox: '0 0 24 24',
        fill: 'none',
        stroke: 'currentColor',
        strokeWidth: 2,
        strokeLinecap: 'round',
        strokeLinejoin: 'round',
        className: `lucide lucide-${name} ${className}`.trim(),
        ...('aria-label' in rest || 'role' in rest ? {} : { 'aria-hidden': true }),
        ...rest,
      },
      node.map(([tag, attributes]) => createElement(tag, attributes)),
    )
}
