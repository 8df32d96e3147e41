// npm install --save-dev @babel/plugin-transform-modules-commonjs; `@babel/preset-env` does the same.
module.exports = { plugins: ['@babel/plugin-transform-modules-commonjs'] };
