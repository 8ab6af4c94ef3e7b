def run(files, jobs): return 0
def record(): pass
