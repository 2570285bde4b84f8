// The default theme, without the fonts that it would fetch.
import Theme from 'vitepress/theme-without-fonts';
import './style.css';

export default Theme;
