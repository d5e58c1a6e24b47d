# From a checkout to a guarded Claude Code in one command, on Windows: a private environment for the guardhook program, a
# small guardhook.cmd that starts it, and `guardhook install`. Arguments go to `guardhook install`. A second run changes
# nothing that is already right. Written for Windows PowerShell 5.1 and later.
#
#     powershell -NoProfile -ExecutionPolicy Bypass -File bootstrap\bootstrap.ps1
$ErrorActionPreference = 'Stop'

$checkout = Split-Path -Parent $PSScriptRoot
$local = if ($env:LOCALAPPDATA) { $env:LOCALAPPDATA } else { Join-Path $HOME '.local/share' }
$data = Join-Path $local 'guardhook'
$environment = Join-Path $data 'venv'
$bin = Join-Path $HOME '.local/bin'
$folder = if ($env:OS -eq 'Windows_NT') { 'Scripts' } else { 'bin' }
$ending = if ($env:OS -eq 'Windows_NT') { '.exe' } else { '' }
$program = Join-Path (Join-Path $environment $folder) "guardhook$ending"
$inside = Join-Path (Join-Path $environment $folder) "python$ending"
$stamp = Join-Path $environment 'guardhook-fingerprint'

# Start a program. Gives what it printed; an empty text if it cannot be started or fails. The placeholder that the
# Microsoft Store puts on PATH as python.exe fails too.
function Read-Output([string]$Name, [string[]]$Arguments) {
    $found = Get-Command $Name -CommandType Application -ErrorAction SilentlyContinue | Select-Object -First 1
    if (-not $found) { return '' }
    try {
        $ErrorActionPreference = 'SilentlyContinue'
        $text = (& $found.Source @Arguments 2>$null | Out-String).Trim()
    } catch {
        return ''
    }
    if ($LASTEXITCODE -ne 0) { return '' }
    return $text
}

# The path of a Python 3.11 or later, behind launchers and environments.
function Find-Python {
    $question = 'import sys; sys.version_info >= (3, 11) or sys.exit(1); print(getattr(sys, ''_base_executable'', '''') or sys.executable)'
    foreach ($name in 'py', 'python3', 'python') {
        $arguments = if ($name -eq 'py') { @('-3', '-I', '-c', $question) } else { @('-I', '-c', $question) }
        $path = Read-Output $name $arguments
        if ($path) { return $path }
    }
    throw 'guardhook needs Python 3.11 or later (winget install Python.Python.3.13), and found none on PATH.'
}

# What the environment was made from: the sources of this checkout and the Python.
function Get-Fingerprint([string]$Python) {
    $paths = foreach ($name in 'pyproject.toml', 'README.md', 'LICENSE') { Join-Path $checkout $name }
    $folders = foreach ($name in 'scripts', 'src') { Join-Path $checkout $name }
    $sources = Get-ChildItem -LiteralPath $folders -Recurse -File
    $paths = @($paths) + @($sources | Where-Object { $_.Extension -ne '.pyc' } | ForEach-Object { $_.FullName })
    $lines = foreach ($path in $paths) { $path + ' ' + (Get-FileHash -LiteralPath $path -Algorithm SHA256).Hash }
    return (@($Python) + @($lines)) -join "`n"
}

function Test-Program {
    return [bool](Read-Output $program @('--version'))
}

# Run a step that must succeed.
function Invoke-Step([string]$Name, [string[]]$Arguments) {
    & $Name @Arguments
    if ($LASTEXITCODE -ne 0) { throw "This step failed with exit status ${LASTEXITCODE}: $Name $($Arguments -join ' ')" }
}

$python = Find-Python
$wanted = Get-Fingerprint $python
$made = if (Test-Path -LiteralPath $stamp) { Get-Content -LiteralPath $stamp -Raw } else { '' }
if ((Test-Program) -and ($made -eq $wanted)) {
    Write-Output "guardhook is in $environment (up to date)"
} else {
    New-Item -ItemType Directory -Force -Path $data | Out-Null
    Invoke-Step $python @('-m', 'venv', '--clear', $environment)
    Invoke-Step $inside @('-m', 'pip', 'install', '--quiet', '--disable-pip-version-check', $checkout)
    if (-not (Test-Program)) { throw "guardhook was installed into $environment and does not start." }
    [System.IO.File]::WriteAllText($stamp, $wanted)
    Write-Output "guardhook is in $environment (made with venv, $python)"
}

if ($env:OS -eq 'Windows_NT') {
    New-Item -ItemType Directory -Force -Path $bin | Out-Null
    $starter = Join-Path $bin 'guardhook.cmd'
    $text = "@`"$program`" %*`r`n"
    if (-not (Test-Path -LiteralPath $starter)) { [System.IO.File]::WriteAllText($starter, $text) }
    elseif ([System.IO.File]::ReadAllText($starter) -ne $text) {
        Write-Output "note: $starter is another file and was left alone; the program is $program"
    }
    if (($env:PATH -split ';') -notcontains $bin) {
        Write-Output "note: $bin is not on PATH; the program can also be called as $program"
    }
}

& $program install @args
exit $LASTEXITCODE
